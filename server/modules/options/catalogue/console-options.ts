import { chatLinks } from '../option-documents.js';
import { address, choice, flag, integer, json, picture, text } from '../option-kinds.js';

/** How the console looks and what it shows: names, pages, modes, the dashboard. */
export const CONSOLE_OPTIONS = {
  'general_setting.docs_link': address({
    tab: 'operation',
    section: 'content',
    class: 'public',
    help: 'Documentation link of the top bar; empty hides it.',
  }),
  DisplayInCurrencyEnabled: flag(true, {
    tab: 'operation',
    section: 'display',
    class: 'public',
    help: 'Show quota as dollars.',
  }),
  DisplayTokenStatEnabled: flag(true, {
    tab: 'operation',
    section: 'display',
    help: 'Billing answers for API tokens speak of the token, not of its owner.',
  }),
  DefaultCollapseSidebar: flag(false, {
    tab: 'operation',
    section: 'display',
    class: 'public',
    help: 'Start with a narrow sidebar.',
  }),
  DemoSiteEnabled: flag(false, {
    tab: 'operation',
    section: 'installation',
    class: 'public',
    help: 'Demonstration site: only root changes anything.',
  }),
  SelfUseModeEnabled: flag(false, {
    tab: 'operation',
    section: 'installation',
    class: 'public',
    help: 'Self-use: models need no price; no register entry.',
  }),
  DataExportEnabled: flag(true, {
    tab: 'operation',
    section: 'display',
    class: 'public',
    help: 'Show the data dashboard.',
  }),
  DataExportInterval: integer(
    5,
    { min: 1, max: 1_440 },
    {
      tab: 'operation',
      section: 'display',
      class: 'public',
      help: 'Minutes after which an open dashboard reads its figures again.',
    },
  ),
  DataExportDefaultTime: choice(['hour', 'day', 'week'], {
    tab: 'operation',
    section: 'display',
    class: 'public',
    help: 'Grain of the dashboard.',
  }),
  Chats: json(
    [],
    chatLinks,
    'a JSON list of {"label": "https://…, app://… or, within the own network, http://…, with {address} and {key}"}',
    {
      tab: 'operation',
      section: 'content',
      class: 'public',
      help: 'Chat links of the sidebar.',
    },
  ),
  Notice: text({
    tab: 'other',
    section: 'content',
    class: 'public',
    oneLine: false,
    help: 'Notice shown once to every visitor. Markdown or HTML.',
  }),
  About: text({
    tab: 'other',
    section: 'content',
    class: 'public',
    oneLine: false,
    help: 'About page: Markdown, HTML, or an https address to frame.',
  }),
  HomePageContent: text({
    tab: 'other',
    section: 'content',
    class: 'public',
    oneLine: false,
    help: 'Home page: Markdown, HTML, or an https address to frame.',
  }),
  SystemName: text({
    tab: 'other',
    section: 'content',
    class: 'public',
    fallback: 'Tollgate',
    max: 100,
    help: 'Name of the system.',
  }),
  Logo: picture({
    tab: 'other',
    section: 'content',
    class: 'public',
    max: 2_048,
    help: 'Address of the logo picture.',
  }),
  Footer: text({
    tab: 'other',
    section: 'content',
    class: 'public',
    oneLine: false,
    help: 'Footer. Markdown or HTML.',
  }),
  TaskEnabled: flag(true, {
    tab: 'operation',
    section: 'display',
    class: 'public',
    help: 'Show the task log.',
  }),
} as const satisfies Record<string, unknown>;
