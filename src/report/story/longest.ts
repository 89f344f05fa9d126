/** Longer executions are not shown step by step: they are unreadable, and the report may not fit into memory. */
export const MAX_SHOWN_STEPS = 50_000;
