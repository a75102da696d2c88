import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { fillChatLink, isWebLink, useChatLinks } from '../../shared/chat/chat-links';
import { toast } from '../../shared/feedback/toast';
import { useUndo } from '../../shared/feedback/use-undo';
import { MenuButton } from '../../shared/page/menu-button';
import { useServerAddress } from '../../shared/session/status';
import { clientKey, hasReadableKey, useDeleteToken, useSwitchToken, type Token } from './api';
import { TOKEN_STATUS } from './token.labels';

interface TokenActionsProps {
  token: Token;
  onConnect: (token: Token) => void;
  onEdit: (token: Token) => void;
  onLimits: (token: Token) => void;
}

export function TokenActions({ token, onConnect, onEdit, onLimits }: TokenActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const offerUndo = useUndo('tokens');
  const switchToken = useSwitchToken();
  const remove = useDeleteToken();
  const { name } = token;
  const enabled = token.status === TOKEN_STATUS.enabled;
  const canCall = enabled && hasReadableKey(token);
  const chats = useChatLinks();
  const address = useServerAddress();

  const toggle = () =>
    switchToken.mutate(
      { id: token.id, status: enabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled },
      {
        onSuccess: () =>
          toast('success', t(enabled ? 'tokens.done.disabled' : 'tokens.done.enabled', { name })),
      },
    );
  const removeToken = () =>
    remove.mutate(token.id, { onSuccess: () => offerUndo(t('tokens.done.deleted', { name }), [token.id]) });

  const chatItems = (close: () => void) => {
    // Missing rights are shown on hover.
    const fault = chats === 'broken' ? 'chat.broken' : chats.length === 0 ? 'chat.none' : undefined;
    if (chats === 'broken' || fault !== undefined)
      return [
        <MenuItem key="chat" onClick={() => (close(), toast('warning', t(fault ?? 'chat.broken')))}>
          {t('tokens.action.chat')}
        </MenuItem>,
      ];
    return chats.map((link) => (
      <MenuItem
        key={`chat-${link.name}`}
        component="a"
        href={fillChatLink(link, { address, key: clientKey(token) })}
        target={isWebLink(link) ? '_blank' : undefined}
        rel="noopener noreferrer"
        onClick={close}
      >
        {t('tokens.action.chatIn', { name: link.name })}
      </MenuItem>
    ));
  };

  return (
    <>
      {canCall && (
        <Button size="small" onClick={() => onConnect(token)} sx={{ mr: 0.5 }}>
          {t('tokens.action.connect')}
        </Button>
      )}
      <MenuButton label={t('tokens.action.of', { name })} icon={<MoreHorizRounded fontSize="small" />}>
        {(close) => [
          <MenuItem key="edit" disabled={token.lock !== null} onClick={() => (close(), onEdit(token))}>
            {t('tokens.action.edit')}
          </MenuItem>,
          <MenuItem key="limits" onClick={() => (close(), onLimits(token))}>
            {t('tokens.action.limits')}
          </MenuItem>,
          <MenuItem key="switch" disabled={token.lock !== null} onClick={() => (close(), toggle())}>
            {enabled ? t('tokens.action.disable') : t('tokens.action.enable')}
          </MenuItem>,
          <MenuItem
            key="logs"
            onClick={() => (close(), void navigate(`/log?token_name=${encodeURIComponent(name)}`))}
          >
            {t('tokens.action.logs')}
          </MenuItem>,
          ...(canCall ? chatItems(close) : []),
          <MenuItem key="delete" onClick={() => (close(), removeToken())}>
            {t('tokens.action.delete')}
          </MenuItem>,
        ]}
      </MenuButton>
    </>
  );
}
