import type { Place } from '../../shared/form/use-unsaved-guard';
import { TABS } from './option-field-types';

/** What is typed into a tab of the settings is gone with the tab. */
export const ofSettingsTab: Place = ({ pathname, search }) =>
  `${pathname} ${new URLSearchParams(search).get('tab') ?? TABS[0]}`;
