/*
 * Dates of the Gregorian calendar, in UTC, which is also the local time. Where the standard has one static result for
 * all threads, so do we: threads that use it concurrently race.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DAY = 86400 };

/* Days from 1970-01-01 to March 1 of a year. Years start in March here, so that leap days come last. */
static long days_to_march(long year) {
  long y = year - (year >= 0 ? 0 : 399);
  long era = y / 400, in_era = year - era * 400;
  return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 - 719468;
}

/* Days before the month that is `month` months after March, counted from March 1. */
static long days_before(long month) { return (153 * month + 2) / 5; }

static int is_leap(long year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

struct tm *gmtime_r(const time_t *__restrict time, struct tm *__restrict result) {
  time_t seconds = *time;
  long days = seconds / DAY, rest = seconds % DAY;
  if (rest < 0) {
    rest += DAY;
    days--;
  }
  /* Counted from March, so that the guess is at most one year too late. */
  long year = 1970 + days / 365 + (days < 0 ? -1 : 1);
  while (days_to_march(year) > days) year--;
  long in_year = days - days_to_march(year), month = (5 * in_year + 2) / 153;
  long calendar_year = month < 10 ? year : year + 1;
  result->tm_sec = (int)(rest % 60);
  result->tm_min = (int)(rest / 60 % 60);
  result->tm_hour = (int)(rest / 3600);
  result->tm_mday = (int)(in_year - days_before(month)) + 1;
  result->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
  result->tm_year = (int)(calendar_year - 1900);
  result->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
  result->tm_yday = (int)(month < 10 ? in_year + 59 + is_leap(year) : in_year - 306);
  result->tm_isdst = 0;
  result->tm_gmtoff = 0;
  result->tm_zone = "UTC";
  return result;
}

struct tm *localtime_r(const time_t *__restrict time, struct tm *__restrict result) { return gmtime_r(time, result); }

static struct tm everybodys;

struct tm *gmtime(const time_t *time) { return gmtime_r(time, &everybodys); }

struct tm *localtime(const time_t *time) { return gmtime_r(time, &everybodys); }

time_t timegm(struct tm *time) {
  long months = (long)time->tm_year * 12 + time->tm_mon - 2;
  long year = months / 12, month = months % 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  long days = days_to_march(year + 1900) + days_before(month) + time->tm_mday - 1;
  time_t result = days * DAY + (long)time->tm_hour * 3600 + (long)time->tm_min * 60 + time->tm_sec;
  gmtime_r(&result, time);
  return result;
}

time_t mktime(struct tm *time) { return timegm(time); }

static const char *const DAYS[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const MONTHS[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

static const char *day_of(const struct tm *time) {
  return time->tm_wday >= 0 && time->tm_wday < 7 ? DAYS[time->tm_wday] : "???";
}

static const char *month_of(const struct tm *time) {
  return time->tm_mon >= 0 && time->tm_mon < 12 ? MONTHS[time->tm_mon] : "???";
}

char *asctime_r(const struct tm *__restrict time, char *__restrict buffer) {
  sprintf(buffer, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day_of(time), month_of(time), time->tm_mday, time->tm_hour,
          time->tm_min, time->tm_sec, 1900 + time->tm_year);
  return buffer;
}

static char everybodys_text[26];

char *asctime(const struct tm *time) { return asctime_r(time, everybodys_text); }

char *ctime_r(const time_t *time, char *buffer) {
  struct tm parts;
  return asctime_r(gmtime_r(time, &parts), buffer);
}

char *ctime(const time_t *time) { return asctime(gmtime(time)); }

/* A week belongs to the year of its Thursday (ISO 8601); days are counted from Monday. */
static int thursday_of(const struct tm *time) { return time->tm_yday - (time->tm_wday + 6) % 7 + 3; }

static int iso_year(const struct tm *time) {
  int thursday = thursday_of(time), year = time->tm_year + 1900;
  return thursday < 0 ? year - 1 : thursday >= 365 + is_leap(year) ? year + 1 : year;
}

static int iso_week(const struct tm *time) {
  int thursday = thursday_of(time), year = time->tm_year + 1900;
  if (thursday < 0) thursday += 365 + is_leap(year - 1);
  else if (thursday >= 365 + is_leap(year)) thursday -= 365 + is_leap(year);
  return thursday / 7 + 1;
}

/* One conversion; 0 if there is no such conversion. */
static int convert(char *text, size_t size, char kind, const struct tm *t) {
  int hour = t->tm_hour % 12 == 0 ? 12 : t->tm_hour % 12, year = t->tm_year + 1900;
  const char *half = t->tm_hour < 12 ? "AM" : "PM";
  switch (kind) {
    case 'a': snprintf(text, size, "%.3s", day_of(t)); return 1;
    case 'A': snprintf(text, size, "%s", day_of(t)); return 1;
    case 'b':
    case 'h': snprintf(text, size, "%.3s", month_of(t)); return 1;
    case 'B': snprintf(text, size, "%s", month_of(t)); return 1;
    case 'c':
      snprintf(text, size, "%.3s %.3s %2d %02d:%02d:%02d %d", day_of(t), month_of(t), t->tm_mday, t->tm_hour, t->tm_min,
               t->tm_sec, year);
      return 1;
    case 'C': snprintf(text, size, "%02d", year / 100); return 1;
    case 'd': snprintf(text, size, "%02d", t->tm_mday); return 1;
    case 'D':
    case 'x': snprintf(text, size, "%02d/%02d/%02d", t->tm_mon + 1, t->tm_mday, year % 100); return 1;
    case 'e': snprintf(text, size, "%2d", t->tm_mday); return 1;
    case 'F': snprintf(text, size, "%d-%02d-%02d", year, t->tm_mon + 1, t->tm_mday); return 1;
    case 'g': snprintf(text, size, "%02d", iso_year(t) % 100); return 1;
    case 'G': snprintf(text, size, "%d", iso_year(t)); return 1;
    case 'H': snprintf(text, size, "%02d", t->tm_hour); return 1;
    case 'I': snprintf(text, size, "%02d", hour); return 1;
    case 'j': snprintf(text, size, "%03d", t->tm_yday + 1); return 1;
    case 'm': snprintf(text, size, "%02d", t->tm_mon + 1); return 1;
    case 'M': snprintf(text, size, "%02d", t->tm_min); return 1;
    case 'n': snprintf(text, size, "\n"); return 1;
    case 'p': snprintf(text, size, "%s", half); return 1;
    case 'r': snprintf(text, size, "%02d:%02d:%02d %s", hour, t->tm_min, t->tm_sec, half); return 1;
    case 'R': snprintf(text, size, "%02d:%02d", t->tm_hour, t->tm_min); return 1;
    case 's': {
      struct tm copy = *t;
      snprintf(text, size, "%ld", (long)timegm(&copy));
      return 1;
    }
    case 'S': snprintf(text, size, "%02d", t->tm_sec); return 1;
    case 't': snprintf(text, size, "\t"); return 1;
    case 'T':
    case 'X': snprintf(text, size, "%02d:%02d:%02d", t->tm_hour, t->tm_min, t->tm_sec); return 1;
    case 'u': snprintf(text, size, "%d", t->tm_wday == 0 ? 7 : t->tm_wday); return 1;
    case 'U': snprintf(text, size, "%02d", (t->tm_yday + 7 - t->tm_wday) / 7); return 1;
    case 'V': snprintf(text, size, "%02d", iso_week(t)); return 1;
    case 'w': snprintf(text, size, "%d", t->tm_wday); return 1;
    case 'W': snprintf(text, size, "%02d", (t->tm_yday + 7 - (t->tm_wday + 6) % 7) / 7); return 1;
    case 'y': snprintf(text, size, "%02d", year % 100); return 1;
    case 'Y': snprintf(text, size, "%d", year); return 1;
    case 'z': snprintf(text, size, "+0000"); return 1;
    case 'Z': snprintf(text, size, "UTC"); return 1;
    case '%': snprintf(text, size, "%%"); return 1;
    default: return 0;
  }
}

size_t strftime(char *__restrict buffer, size_t size, const char *__restrict format, const struct tm *__restrict time) {
  size_t count = 0;
  for (; *format; format++) {
    char text[40] = {*format, 0};
    if (*format == '%') {
      format++;
      /* The "C" locale has no alternative forms. */
      if (*format == 'E' || *format == 'O') format++;
      if (!convert(text, sizeof text, *format, time)) break;
    }
    size_t length = strlen(text);
    if (count + length >= size) return 0;
    memcpy(buffer + count, text, length);
    count += length;
  }
  buffer[count] = 0;
  return count;
}
