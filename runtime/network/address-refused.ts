/** The address must never be connected to, so a retry is useless. The message doesn't contain the address. */
export class AddressRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefused';
  }
}
