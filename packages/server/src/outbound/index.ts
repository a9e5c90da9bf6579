/** Requests to a host that a user names: https, public addresses, bounded in every direction. */

export {
  createDownload,
  type Download,
  DownloadError,
  type Downloaded,
  type DownloadOptions,
  type DownloadRequest,
} from './download.ts';
export { createMailer, type Mail, MailError, type Mailer, type MailerOptions } from './mail.ts';
export {
  createSend,
  type OutboundRequest,
  type OutboundResponse,
  type Send,
  SendError,
  type SendFailure,
  type SendOptions,
} from './send.ts';
