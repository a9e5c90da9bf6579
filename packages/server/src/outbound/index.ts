/** Requests that leave for a host which somebody else names: https, public addresses, bounded in every direction. */

export {
  createDownload,
  type Download,
  DownloadError,
  type Downloaded,
  type DownloadOptions,
  type DownloadRequest,
} from './download.ts';
