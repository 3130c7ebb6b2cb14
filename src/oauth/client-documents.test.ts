import { createServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { fetchClientDocument, isPublicAddress } from './client-documents.ts'

describe('client documents', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'not an address',
  ])('are not asked of %s', (address) => expect(isPublicAddress(address)).toBe(false))

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111'])('may be asked of %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://2130706433/client.json',
    'https://0x7f.1/client.json',
    'https://localhost/client.json',
    'http://example.org/client.json',
    'file:///etc/passwd',
  ])('are not fetched from %s', async (address) => {
    await expect(fetchClientDocument(address)).rejects.toThrow(/public internet|https/)
  })

  it('never reach a server of this machine, whatever name it has', async () => {
    let reached = 0
    const server = createServer(() => reached++)
    server.on('connection', () => reached++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await expect(fetchClientDocument(`https://localhost:${port}/client.json`)).rejects.toThrow(
      'public internet',
    )
    server.close()
    expect(reached).toBe(0)
  })
})
