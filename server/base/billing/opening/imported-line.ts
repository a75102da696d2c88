/** Begins the request id of every log line that was imported: such a line has no settlement here. */
export const IMPORTED_LINE = 'import-';
