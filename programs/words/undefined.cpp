// No file defines it.
namespace box {
extern int other;
}
int main() { return box::other; }
