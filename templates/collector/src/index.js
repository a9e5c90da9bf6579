export { default } from '@ghostlight/collector';
