import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openMailer } from './mailer.ts'

/** A mail server that says yes to everything and writes down what it was sent, or one that refuses recipients. */
async function smtpServer(refuses = false) {
  const heard: string[] = []
  const messages: string[] = []
  const server = createServer((socket) => {
    let inMessage = false
    let text = ''
    socket.setEncoding('utf8').on('error', () => {})
    socket.write('220 test ESMTP\r\n')
    socket.on('data', (part: string) => {
      text += part
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (inMessage) {
          if (line === '.') socket.write('250 kept\r\n')
          else messages[messages.length - 1] += `${line}\n`
          inMessage = line !== '.'
          continue
        }
        heard.push(line)
        const word = line.slice(0, 4).toUpperCase()
        if (word === 'EHLO') socket.write('250-test\r\n250 8BITMIME\r\n')
        else if (word === 'RCPT' && refuses) socket.write('550 no such user\r\n')
        else if (word === 'DATA') {
          inMessage = true
          messages.push('')
          socket.write('354 go on\r\n')
        } else if (word === 'QUIT') socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, messages }
}

const mail = {
  to: 'ada@example.org',
  subject: 'Set a new password',
  text: 'Open https://rates.example.org/x?token=abc',
}

describe('the mailer', () => {
  it('speaks SMTP where a server is configured, and writes nothing to the log', async () => {
    const { url, heard, messages } = await smtpServer()
    const log: string[] = []
    await openMailer(url, 'Ratebook <rates@example.org>', (text) => log.push(text)).send(mail)
    expect(heard).toEqual(
      expect.arrayContaining(['MAIL FROM:<rates@example.org>', 'RCPT TO:<ada@example.org>', 'DATA']),
    )
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(/^From: Ratebook <rates@example\.org>$/m)
    expect(messages[0]).toMatch(/^To: ada@example\.org$/m)
    expect(messages[0]).toMatch(/^Subject: Set a new password$/m)
    expect(messages[0]).toContain('https://rates.example.org/x?token=abc')
    expect(log).toEqual([])
  })

  it('does not let a name smuggle in headers or recipients', async () => {
    const { url, heard, messages } = await smtpServer()
    await openMailer(url, 'rates@example.org', () => {}).send({
      ...mail,
      subject: 'Join Clinic\r\nBcc: eve@example.org\r\n on Ratebook',
    })
    expect(heard.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@example.org>'])
    expect(messages[0]).not.toMatch(/^Bcc:/im)
  })

  it('fails when the mail server refuses or is not there', async () => {
    const { url } = await smtpServer(true)
    await expect(openMailer(url, 'rates@example.org', () => {}).send(mail)).rejects.toThrow('550')
    await expect(openMailer('smtp://127.0.0.1:1', 'rates@example.org', () => {}).send(mail)).rejects.toThrow()
  })

  it('puts the mail into the log where no server is configured', async () => {
    const log: string[] = []
    await openMailer(undefined, 'rates@example.org', (text) => log.push(text)).send(mail)
    expect(log).toEqual([expect.stringContaining(mail.text)])
    expect(log[0]).toContain('ada@example.org')
  })
})
