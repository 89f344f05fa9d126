/* Two bit-fields share a storage unit: the update of one overwrites the other. Reports name both. */
#include "pre.h"
struct{unsigned a:3,b:5;}s;
void*a(void*_){ s.a=1; return 0;}
void*b(void*_){ s.b=1; return 0;}
#define END assert(s.a==1&&s.b==1)
RUN2(a,b)
