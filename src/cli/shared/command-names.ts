/** In the order of the help text. */
export const COMMAND_NAMES = [
  'check',
  'fix',
  'hunt',
  'litmus',
  'replay',
  'robust',
  'record',
  'monitor',
  'serve',
  'worker',
  'cluster',
  'init',
] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];
