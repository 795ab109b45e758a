import { AddressRefused } from '../../runtime/network/address-refused';
import type { Guard } from '../network/guarded-agent';

/** Returns `<url>/<call_id>`. Throws `AddressRefused` for an address that cannot be a custom LLM server. */
export function socketAddress(url: string, callId: string, guard: Pick<Guard, 'isOpen'>): URL {
  if (!URL.canParse(url)) throw new AddressRefused('the URL is invalid');
  const address = new URL(url);
  if (address.protocol !== 'wss:' && address.protocol !== 'ws:')
    throw new AddressRefused('the address must use wss');
  // Without TLS, token and conversation would be readable. Only hosts that the operator allows are exempt.
  if (address.protocol === 'ws:' && !guard.isOpen(address))
    throw new AddressRefused('ws is only allowed for hosts in AGENT_ALLOWED_HOSTS');
  // Credentials in the URL would replace the bearer token.
  if (address.username !== '' || address.password !== '')
    throw new AddressRefused('the address must not contain a user name');
  address.hash = '';
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${encodeURIComponent(callId)}`;
  return address;
}
