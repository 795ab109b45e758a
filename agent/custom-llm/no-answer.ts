/** Why a turn was not answered. The message contains neither an address nor anything that was said. */
export class NoAnswer extends Error {
  constructor(
    readonly kind: 'timed out' | 'lost' | 'refused' | 'closed',
    message: string,
  ) {
    super(message);
    this.name = 'NoAnswer';
  }
}
