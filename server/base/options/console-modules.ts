import { z } from 'zod';

/**
 * Parts of the console an operator may switch off, in the members that newer consoles of this family read. Modules they have and this
 * one does not are kept as they are.
 */
const on = z.boolean().default(true);

const pricing = z.union([
  // Earlier consoles of the family store whether it is on, and no more.
  z.boolean().transform((enabled) => ({ enabled, requireAuth: false })),
  z.object({ enabled: on, requireAuth: z.boolean().default(false) }),
]);

export const HEADER_MODULES_FORM =
  'a JSON object of "home", "console", "docs", "about" to true or false and "pricing" to {"enabled", "requireAuth"}';
const headerSchema = z
  .object({ home: on, console: on, pricing: pricing.prefault({}), docs: on, about: on })
  .catchall(z.union([z.boolean(), z.record(z.string(), z.boolean())]));
export type HeaderModules = z.infer<typeof headerSchema>;
export const headerModules: z.ZodType<HeaderModules> = headerSchema;
export const ALL_HEADER_MODULES: HeaderModules = headerSchema.parse({});

export const SIDEBAR_MODULES_FORM =
  'a JSON object of "chat", "console", "personal", "admin" to {"enabled", and each page to true or false}';
const sidebarSchema = z
  .object({
    chat: z.object({ enabled: on, playground: on, chat: on }).catchall(z.boolean()).prefault({}),
    console: z
      .object({ enabled: on, detail: on, token: on, log: on, midjourney: on, task: on, docs: on })
      .catchall(z.boolean())
      .prefault({}),
    personal: z.object({ enabled: on, topup: on, personal: on }).catchall(z.boolean()).prefault({}),
    admin: z
      .object({
        enabled: on,
        channel: on,
        redemption: on,
        order: on,
        user: on,
        limit: on,
        status: on,
        job: on,
        prices: on,
        setting: on,
        audit: on,
        bin: on,
      })
      .catchall(z.boolean())
      .prefault({}),
  })
  .catchall(z.record(z.string(), z.boolean()));
export type SidebarModules = z.infer<typeof sidebarSchema>;
export const sidebarModules: z.ZodType<SidebarModules> = sidebarSchema;
export const ALL_SIDEBAR_MODULES: SidebarModules = sidebarSchema.parse({});
