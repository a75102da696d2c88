import type { OptionField } from './option-field-types';

const other = { tab: 'other' } as const;

/** The name of the installation, and the pages it shows. */
export const OTHER_FIELDS: readonly OptionField[] = [
  { ...other, section: 'brand', id: 'systemName', key: 'SystemName', kind: 'text' },
  { ...other, section: 'brand', id: 'logo', key: 'Logo', kind: 'text' },
  { ...other, section: 'brand', id: 'footer', key: 'Footer', kind: 'block' },
  { ...other, section: 'content', id: 'notice', key: 'Notice', kind: 'block' },
  { ...other, section: 'content', id: 'homePage', key: 'HomePageContent', kind: 'block' },
  { ...other, section: 'content', id: 'about', key: 'About', kind: 'block' },
  { ...other, section: 'content', id: 'userAgreement', key: 'legal.user_agreement', kind: 'block' },
  { ...other, section: 'content', id: 'privacyPolicy', key: 'legal.privacy_policy', kind: 'block' },
  {
    ...other,
    section: 'content',
    id: 'chats',
    key: 'Chats',
    kind: 'json',
    example: [{ 'My chat': 'https://chat.example/?key={key}&address={address}' }],
  },
];
