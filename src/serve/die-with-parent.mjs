/** Loaded before the command in a child of `fencepost serve`: ends it when its parent ends for any reason. */
process.on('disconnect', () => process.exit(1));
// Listening must not keep the child alive when its work is done.
process.channel?.unref();
