/* No file defines the variable. */
extern _Thread_local int gone;
int main(void) { return gone; }
