#ifndef FENCEPOST_TERMIOS_H
#define FENCEPOST_TERMIOS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned char cc_t;
typedef unsigned speed_t;
typedef unsigned tcflag_t;
#define NCCS 32
struct termios {
  tcflag_t c_iflag;
  tcflag_t c_oflag;
  tcflag_t c_cflag;
  tcflag_t c_lflag;
  cc_t c_line;
  cc_t c_cc[NCCS];
  speed_t c_ispeed;
  speed_t c_ospeed;
};
#define VINTR 0
#define VEOF 4
#define VTIME 5
#define VMIN 6
#define BRKINT 2
#define ICRNL 0x100
#define INPCK 0x10
#define ISTRIP 0x20
#define IXON 0x400
#define OPOST 1
#define ONLCR 4
#define CS8 0x30
#define ISIG 1
#define ICANON 2
#define ECHO 8
#define IEXTEN 0x8000
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2

/* Declared only. */
int tcgetattr(int file, struct termios *attributes);
int tcsetattr(int file, int when, const struct termios *attributes);
int tcflush(int file, int queue);
void cfmakeraw(struct termios *attributes);
speed_t cfgetospeed(const struct termios *attributes);
int cfsetospeed(struct termios *attributes, speed_t speed);
int cfsetispeed(struct termios *attributes, speed_t speed);

#ifdef __cplusplus
}
#endif

#endif
