export const DONE_SUFFIX = '.done';
export const QUARANTINE_FOLDER = 'quarantine';
export const RESERVE_FILE = 'reserve';
const SEGMENT = /^\d{8}\.spool$/;

export const segmentName = (index: number): string => `${String(index).padStart(8, '0')}.spool`;
export const isSegment = (name: string): boolean => SEGMENT.test(name);
