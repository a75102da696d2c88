import DarkModeOutlined from '@mui/icons-material/DarkModeOutlined';
import LightModeOutlined from '@mui/icons-material/LightModeOutlined';
import SettingsBrightnessOutlined from '@mui/icons-material/SettingsBrightnessOutlined';
import ListItemIcon from '@mui/material/ListItemIcon';
import MenuItem from '@mui/material/MenuItem';
import { useColorScheme } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { MenuButton } from '../../shared/page/menu-button';

const MODES = [
  { id: 'light', icon: <LightModeOutlined fontSize="small" /> },
  { id: 'dark', icon: <DarkModeOutlined fontSize="small" /> },
  { id: 'system', icon: <SettingsBrightnessOutlined fontSize="small" /> },
] as const;

export function ThemeMenu() {
  const { t } = useTranslation();
  const { mode, setMode } = useColorScheme();
  const current = MODES.find((each) => each.id === mode) ?? MODES[2];
  return (
    <MenuButton label={t('shell.theme.label')} icon={current.icon}>
      {(close) =>
        MODES.map((each) => (
          <MenuItem
            key={each.id}
            role="menuitemradio"
            aria-checked={mode === each.id}
            selected={mode === each.id}
            onClick={() => {
              setMode(each.id);
              close();
            }}
          >
            <ListItemIcon>{each.icon}</ListItemIcon>
            {t(`shell.theme.${each.id}`)}
          </MenuItem>
        ))
      }
    </MenuButton>
  );
}
