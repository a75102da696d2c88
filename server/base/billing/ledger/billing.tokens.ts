/** The main database, as the billing module names it. */
export const MONEY_DATA_SOURCE = Symbol('MONEY_DATA_SOURCE');
export { BOOT_ID } from '../../../infra/ids/boot-id.js';
