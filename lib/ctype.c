#include <ctype.h>

static int between(int character, int first, int last) { return character >= first && character <= last; }

int isdigit(int character) { return between(character, '0', '9'); }

int islower(int character) { return between(character, 'a', 'z'); }

int isupper(int character) { return between(character, 'A', 'Z'); }

int isalpha(int character) { return islower(character) || isupper(character); }

int isalnum(int character) { return isalpha(character) || isdigit(character); }

int isblank(int character) { return character == ' ' || character == '\t'; }

int iscntrl(int character) { return between(character, 0, 31) || character == 127; }

int isgraph(int character) { return between(character, 33, 126); }

int isprint(int character) { return between(character, 32, 126); }

int ispunct(int character) { return isgraph(character) && !isalnum(character); }

int isspace(int character) { return character == ' ' || between(character, '\t', '\r'); }

int isxdigit(int character) {
  return isdigit(character) || between(character, 'a', 'f') || between(character, 'A', 'F');
}

int tolower(int character) { return isupper(character) ? character - 'A' + 'a' : character; }

int toupper(int character) { return islower(character) ? character - 'a' + 'A' : character; }
