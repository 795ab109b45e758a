/** An external registry of numbers that must not be called, of a country or a company. */
export interface DndRegistry {
  /**
   * Returns whether the number (E.164) must not be called. Doesn't cache or retry.
   * @throws RegistryUnavailable if there is no usable answer in time
   */
  isListed(phoneNumber: string): Promise<boolean>;
}

/** Message and cause are safe to log, because neither contains the number. */
export class RegistryUnavailable extends Error {
  override name = 'RegistryUnavailable';
}
