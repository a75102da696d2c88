/** The main database, as the billing module names it. */
export const MONEY_DATA_SOURCE = Symbol('MONEY_DATA_SOURCE');
/** Boot id of this process (UUIDv7): owner of its holds, name of its spool folder. */
export const BOOT_ID = Symbol('BOOT_ID');
