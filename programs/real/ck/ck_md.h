/* What Concurrency Kit's `configure` writes: x86-64 has TSO, the others have weaker models. */
#pragma once
#define CK_MD_CACHELINE (64)
#define CK_MD_PAGESIZE (4096)
#define CK_MD_RTM_DISABLE
#define CK_MD_LSE_DISABLE
#define CK_MD_POINTER_PACK_DISABLE
#define CK_MD_SSE_ENABLE
#define CK_MD_PPC32_LWSYNC_DISABLE
#define CK_MD_VMA_BITS_UNKNOWN
#ifdef __x86_64__
#define CK_MD_TSO
#else
#define CK_MD_RMO
#endif
