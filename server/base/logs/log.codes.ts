/** Kinds of log lines. 0 is never written: in filters it means "all". */
export const LOG_TYPE = { topUp: 1, consumption: 2, administration: 3, system: 4, error: 5 } as const;
export type LogType = (typeof LOG_TYPE)[keyof typeof LOG_TYPE];
