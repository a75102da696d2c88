import { SECTIONS_TICKED_AT_FIRST, SECTIONS_TO_TICK } from '../option-sections.js';
import { address, commaList, flag, integer, secret, text } from '../option-kinds.js';

/** The server among others: its address, the proxy it fetches through, its mail. */
export const SERVER_OPTIONS = {
  RelayEnabled: flag(true, {
    tab: 'operation',
    heading: 'switches',
    section: 'installation',
    class: 'security',
    help: 'Kill switch of the relay: off, every call is refused with 503; the console works.',
  }),
  PaymentEnabled: flag(true, {
    tab: 'operation',
    heading: 'switches',
    section: 'installation',
    class: 'security',
    help: 'Kill switch of topping up: off, no order can be made; payments of orders that exist still count.',
  }),
  DisabledChannelTypes: commaList([], /^\d{1,5}$/, {
    tab: 'operation',
    heading: 'switches',
    section: 'installation',
    class: 'security',
    help: 'Kill switch of providers: numbers of channel types that are not called, as if their channels were disabled.',
  }),
  AdministratorSections: commaList(
    SECTIONS_TICKED_AT_FIRST,
    new RegExp(`^(?:${SECTIONS_TO_TICK.join('|')})$`),
    {
      choices: SECTIONS_TO_TICK,
      tab: 'system',
      heading: 'administrators',
      section: 'installation',
      class: 'security',
      help: `Sections of the settings that administrators may change, of ${SECTIONS_TO_TICK.join(', ')}. All others are root's.`,
    },
  ),
  ServerAddress: address({
    tab: 'system',
    heading: 'address',
    section: 'installation',
    class: 'public',
    help: 'Public base address, for links in mails and callbacks. SERVER_ADDRESS of the environment is used while it is empty.',
  }),
  WorkerUrl: address({
    calledAs: 'service',
    tab: 'none',
    section: 'installation',
    help: 'Proxy that fetches addresses typed by users.',
  }),
  WorkerValidKey: secret({ tab: 'none', section: 'installation', help: 'Key of that proxy.' }),
  WorkerAllowHttpImageRequestEnabled: flag(false, {
    tab: 'none',
    section: 'installation',
    class: 'security',
    help: 'Kept for older consoles, which save it with their tab: only notices go through that proxy, and pictures are fetched from https addresses.',
  }),
  SMTPServer: text({
    tab: 'system',
    heading: 'mail',
    section: 'installation',
    max: 255,
    help: 'Mail server.',
  }),
  SMTPPort: integer(
    587,
    { min: 1, max: 65_535 },
    { tab: 'system', heading: 'mail', section: 'installation', help: 'Port of the mail server.' },
  ),
  SMTPAccount: text({
    tab: 'system',
    heading: 'mail',
    section: 'installation',
    max: 255,
    help: 'Account at the mail server.',
  }),
  SMTPFrom: text({
    tab: 'system',
    heading: 'mail',
    section: 'installation',
    max: 255,
    help: 'Sender of mails.',
  }),
  SMTPToken: secret({
    tab: 'system',
    heading: 'mail',
    section: 'installation',
    help: 'Password at the mail server.',
  }),
  SMTPSSLEnabled: flag(false, {
    tab: 'system',
    heading: 'mail',
    section: 'installation',
    help: 'TLS from the first byte.',
  }),
  SMTPStartTLSEnabled: flag(true, {
    tab: 'system',
    heading: 'mail',
    section: 'installation',
    help: 'Upgrade the mail connection to TLS when the server offers it.',
  }),
  SMTPForceAuthLogin: flag(false, {
    tab: 'system',
    heading: 'mail',
    section: 'installation',
    help: 'Use AUTH LOGIN at the mail server.',
  }),
  SMTPInsecureSkipVerify: flag(false, {
    tab: 'system',
    heading: 'mail',
    section: 'installation',
    class: 'security',
    help: 'Accept any certificate of the mail server.',
  }),
} as const satisfies Record<string, unknown>;
