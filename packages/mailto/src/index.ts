export { mailto, type MailtoField, type MailtoMailbox } from './mailto.ts';
