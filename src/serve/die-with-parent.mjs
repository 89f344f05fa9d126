/** Loaded before the command in a child of `fencepost serve`: ends the child when the parent ends for any reason. */
process.on('disconnect', () => process.exit(1));
// The listener must not keep the child alive after its work is done.
process.channel?.unref();
// The channel may say nothing while a search keeps the process busy; another parent says as much.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, 500).unref();
