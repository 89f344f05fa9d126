// xenium's hash map (Harris, Michael), one bucket: two threads insert the same key and one looks it up; one of them wins, and what is
// found is whole.
#include <xenium/harris_michael_hash_map.hpp>
#include <xenium/reclamation/lock_free_ref_count.hpp>

#include <cassert>
#include <thread>

using Map =
    xenium::harris_michael_hash_map<int, int, xenium::policy::reclaimer<xenium::reclamation::lock_free_ref_count<>>,
                                    xenium::policy::buckets<1>>;

int main() {
  Map map;
  bool first = false;
  std::thread other([&] { first = map.emplace(1, 10); });
  bool second = map.emplace(1, 20);
  auto found = map.find(1);
  assert(found != map.end());
  int value = (*found).second;
  other.join();
  assert(first != second);
  assert(value == (first ? 10 : 20));
  return 0;
}
