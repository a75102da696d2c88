import type { Operation } from '../../model/operation.js';
import type { Route } from '../../ports/channel-picker.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import { type ProviderCall, isNative } from '../../providers/provider.js';
import type { ClientCall } from '../context/call-types.js';
import type { RelayPorts } from '../context/relay-ports.js';

/** Facts of a call that a provider may look at, without the channel. */
export function providerFacts<O extends Operation>(
  { apiFormat, parsed }: ClientCall<O>,
  options: RelayOptions,
): Omit<ProviderCall, 'route'> {
  const { shape, vendorHeaders, vendorQuery, document } = parsed;
  const facts = { shape, options, clientFormat: apiFormat.id, members: document.members, vendorHeaders };
  return vendorQuery === undefined ? facts : { ...facts, vendorQuery };
}

/**
 * Test for channels whose API is the one of the call.
 * @returns undefined when the operator does not prefer such channels for calls of this group
 */
export function nativeChannels<O extends Operation>(
  ports: Pick<RelayPorts, 'findProvider'>,
  input: {
    readonly clientCall: ClientCall<O>;
    readonly operation: O;
    readonly options: RelayOptions;
    readonly group: string;
  },
): ((route: Route) => boolean) | undefined {
  const { clientCall, operation, options, group } = input;
  if (options.prefersNative?.(group) !== true) return undefined;
  const facts = providerFacts(clientCall, options);
  return (route) => {
    const provider = ports.findProvider(route.channelType);
    return provider.ok && isNative(provider.value, operation, { ...facts, route });
  };
}
