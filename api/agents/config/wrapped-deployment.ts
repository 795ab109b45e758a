import { isJsonObject } from '../../../domain/json';

/**
 * Removes the wrapping `deployment` key, which the section's own endpoint requires and create-agent allows. Unknown keys beside the wrapper are
 * kept.
 */
export function unwrapDeployment(section: unknown): unknown {
  if (!isWrapped(section)) return section;
  const { deployment, ...beside } = section;
  return { ...beside, ...deployment };
}

export function isWrapped(section: unknown): section is { deployment: object } {
  return isJsonObject(section) && isJsonObject(section.deployment);
}
