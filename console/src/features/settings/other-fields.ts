import type { OptionField } from './option-field-types';

const other = { tab: 'other' } as const;

/** The name of the installation, and the pages it shows. */
export const OTHER_FIELDS: readonly OptionField[] = [
  { ...other, heading: 'brand', id: 'systemName', key: 'SystemName', kind: 'text' },
  { ...other, heading: 'brand', id: 'logo', key: 'Logo', kind: 'text' },
  { ...other, heading: 'brand', id: 'footer', key: 'Footer', kind: 'block' },
  { ...other, heading: 'content', id: 'notice', key: 'Notice', kind: 'block' },
  { ...other, heading: 'content', id: 'homePage', key: 'HomePageContent', kind: 'block' },
  { ...other, heading: 'content', id: 'about', key: 'About', kind: 'block' },
  { ...other, heading: 'content', id: 'userAgreement', key: 'legal.user_agreement', kind: 'block' },
  { ...other, heading: 'content', id: 'privacyPolicy', key: 'legal.privacy_policy', kind: 'block' },
  {
    ...other,
    heading: 'content',
    id: 'chats',
    key: 'Chats',
    kind: 'json',
    example: [{ 'My chat': 'https://chat.example/?key={key}&address={address}' }],
  },
];
