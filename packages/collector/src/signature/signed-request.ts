/** Core's, which the service reads logs with: what a signed request says of itself. */
export * from '@ghostlight/core/signed-request';
