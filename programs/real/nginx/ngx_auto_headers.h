/* What nginx's `configure` writes. */
#pragma once
#define NGX_HAVE_UNISTD_H 1
#define NGX_HAVE_INTTYPES_H 1
#define NGX_HAVE_LIMITS_H 1
