import { z } from 'zod';

/** Dashboard panels of the operator, in the members that consoles of this family read. */

const MAX_ENTRIES = 100;
/** Other consoles number the entries they write. */
const id = z.int().min(0).optional();
const shortText = z.string().max(200).default('');

const ANNOUNCEMENT_KINDS = ['default', 'ongoing', 'success', 'warning', 'error'] as const;
export const ANNOUNCEMENTS_FORM =
  'a JSON list of {"content", "publishDate" (a moment such as 2026-11-25T08:00:00Z), "type" (default, ongoing, success, warning, error), "extra"}';
const announcement = z.object({
  id,
  content: z.string().trim().min(1).max(2_000),
  publishDate: z.string().refine((text) => text.length <= 40 && !Number.isNaN(Date.parse(text))),
  type: z.enum(ANNOUNCEMENT_KINDS).default('default'),
  extra: shortText,
});
export type Announcement = z.infer<typeof announcement>;
export const announcements: z.ZodType<readonly Announcement[]> = z.array(announcement).max(MAX_ENTRIES);

export const FAQ_FORM = 'a JSON list of {"question", "answer"}';
const faqEntry = z.object({
  id,
  question: z.string().trim().min(1).max(200),
  answer: z.string().trim().min(1).max(4_000),
});
export type FaqEntry = z.infer<typeof faqEntry>;
export const faqEntries: z.ZodType<readonly FaqEntry[]> = z.array(faqEntry).max(MAX_ENTRIES);

export const API_INFO_FORM = 'a JSON list of {"url" (http or https), "route", "description", "color"}';
const apiAddress = z.object({
  id,
  url: z.string().max(2_048).refine(isWebAddress),
  route: z.string().trim().min(1).max(100),
  description: shortText,
  color: z
    .string()
    .regex(/^[a-z-]{0,20}$/)
    .default('blue'),
});
export type ApiAddress = z.infer<typeof apiAddress>;
export const apiAddresses: z.ZodType<readonly ApiAddress[]> = z.array(apiAddress).max(MAX_ENTRIES);

/** More pages would make one reading of the dashboard many requests. */
const MAX_PAGES = 20;
export const UPTIME_FORM =
  'a JSON list of {"categoryName", "url" (http or https address of an Uptime Kuma), "slug" (name of its status page), "description"}, each page once';
const uptimePage = z.object({
  id,
  categoryName: z.string().trim().min(1).max(50),
  url: z
    .string()
    .max(2_048)
    .refine(isWebAddress)
    .transform((text) => text.replace(/\/+$/, '')),
  slug: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  description: shortText,
});
export type UptimePage = z.infer<typeof uptimePage>;
export const uptimePages: z.ZodType<readonly UptimePage[]> = z
  .array(uptimePage)
  .max(MAX_PAGES)
  .refine((all) => new Set(all.map(({ url, slug }) => `${url} ${slug}`)).size === all.length);

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** Number of announcements in the public status: the newest ones. */
const SHOWN_ANNOUNCEMENTS = 20;
export const newestFirst = (all: readonly Announcement[]): Announcement[] =>
  all
    .map((entry) => ({ ...entry }))
    .sort((left, right) => Date.parse(right.publishDate) - Date.parse(left.publishDate))
    .slice(0, SHOWN_ANNOUNCEMENTS);
