/** Longer executions are not shown step by step: nobody reads that much, and the report may not fit into memory. */
export const MAX_SHOWN_STEPS = 50_000;
