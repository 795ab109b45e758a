import { isJsonObject } from '../../../domain/json';

/**
 * The section without the wrapping `deployment` key that its own endpoint asks for and create-agent allows.
 * Stored without it. Unknown keys beside the wrapper are kept beside the section's own.
 */
export function unwrapDeployment(section: unknown): unknown {
  if (!isWrapped(section)) return section;
  const { deployment, ...beside } = section;
  return { ...beside, ...deployment };
}

export function isWrapped(section: unknown): section is { deployment: object } {
  return isJsonObject(section) && isJsonObject(section.deployment);
}
