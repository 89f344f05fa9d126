/* In place of what liburing's configure writes, for a libc that has all of it. */
#pragma once
#include <linux/ioctl.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <linux/time_types.h>
#include <sys/wait.h>

#define BLOCK_URING_CMD_DISCARD _IO(0x12, 0)
#define BLOCK_URING_CMD_ZONE_RESET_ALL _IO(0x12, 1)
