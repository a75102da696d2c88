import type { Place } from '../../shared/form/use-unsaved-guard';
import { TABS } from './option-field-types';

/** Text typed into a tab of the settings is lost with the tab. */
export const ofSettingsTab: Place = ({ pathname, search }) =>
  `${pathname} ${new URLSearchParams(search).get('tab') ?? TABS[0]}`;
