/** What opens over a page. A file of its own, because it is loaded when it is needed: it would be a tenth of the first view. */
export { DropdownMenu, Popover } from 'radix-ui';
