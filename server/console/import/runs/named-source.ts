import { DomainError } from '../../../common/errors/domain-error.js';
import { DatabaseUrlError, parseDatabaseUrl } from '../../../infra/database/database-url.js';
import { OutboundRefusal, type OutboundPolicy } from '../../../infra/http-client/safe-url.js';
import { sourceAddress, SourceAddressError } from '../source-address.js';

const HOST = /^([a-z]+:\/\/(?:[^@/?#]*@)?)(\[[^\]]*\]|[^@/?#:]*)/i;
const MAX_LABEL = 191;

/** A source that root named on the console. */
export interface NamedSource {
  /** Address to open; its host is the one that was checked. */
  readonly address: string;
  /** For people: without user and password. */
  readonly label: string;
}

/**
 * The database server at an address, as far as the outbound rules let the console read it. Files and sockets of this machine, and files
 * of certificate authorities, are for the command line.
 * Fails: import_address_refused and the codes beside it.
 */
export async function namedSource(text: string, policy: OutboundPolicy): Promise<NamedSource> {
  const refuse = (reason: string): DomainError => new DomainError('import_address_refused', { reason });
  try {
    const address = sourceAddress(text, '/');
    const place = parseDatabaseUrl(address);
    if (place.dialect === 'sqlite') throw new DomainError('import_address_of_file');
    if (place.socket !== undefined || place.sslRootCert !== undefined)
      throw new DomainError('import_address_of_machine');
    const { host, port, dialect, database, sslMode } = place;
    const checked = await policy.checkDatabaseServer(host, { port, scheme: `${dialect}:` });
    const target = checked.includes(':') ? `[${checked}]` : checked;
    return {
      // A certificate that must carry the name proves the host by itself.
      address:
        sslMode === 'verify-full' ? address : address.replace(HOST, (_all, start: string) => start + target),
      label: `${dialect} ${host}:${port}/${database}`.slice(0, MAX_LABEL),
    };
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (error instanceof SourceAddressError) throw new DomainError(error.code);
    if (error instanceof DatabaseUrlError || error instanceof OutboundRefusal) throw refuse(error.message);
    const { code } = error as NodeJS.ErrnoException;
    throw new DomainError('import_address_host_unknown', { cause: code ?? '–' });
  }
}
