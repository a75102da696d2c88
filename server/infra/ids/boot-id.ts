/** Boot id of this process (UUIDv7): owner of its holds and jobs, name of its spool folder. Injected as a text. */
export const BOOT_ID = Symbol('BOOT_ID');
