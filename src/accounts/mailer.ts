import { createTransport } from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends mail, or says in the log what it would have sent. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

/** A mailer over SMTP where an address is given; otherwise the text goes to the log, for machines without mail. */
export function openMailer(smtpUrl: string | undefined, from: string, log: (text: string) => void): Mailer {
  if (!smtpUrl)
    return {
      async send({ to, subject, text }) {
        log(`No mail server is configured. Mail to ${to}: ${subject}\n${text}`)
      },
    }
  const transport = createTransport(smtpUrl)
  return {
    async send(mail) {
      await transport.sendMail({ from, ...mail })
    },
  }
}
