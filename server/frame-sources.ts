import type { OptionValues } from './modules/options/option-catalogue.js';

/** Origins the console may frame, from the options that hold addresses of pages: chat links, home page, about. */
export function frameSourcesOf(options: Pick<OptionValues, 'Chats' | 'HomePageContent' | 'About'>): string[] {
  const links = [
    ...options.Chats.flatMap((entry) => Object.values(entry)),
    options.HomePageContent.trim(),
    options.About.trim(),
  ];
  const origins = links.map((link) => (/^https:\/\/\S+$/.test(link) ? URL.parse(link)?.origin : undefined));
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}
