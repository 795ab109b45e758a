/** An address that is not connected to, whatever else happens: trying again is of no use. The message names no address. */
export class AddressRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefused';
  }
}
