/** Under what name this tab holds a property's webhook key: the ingest key of the same property has its own. */
export function heldName(propertyId: string): string {
  return `webhook:${propertyId}`;
}
