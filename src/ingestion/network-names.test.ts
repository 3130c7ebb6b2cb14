import { expect, it } from 'vitest'
import { networkNameOf } from './network-names.ts'

it.each([
  ['GA BlueChoice PPO in-network file 1 of 6', 'GA BlueChoice PPO'],
  ['NJ Select Hospitals/PAR Physicians in-network file', 'NJ Select Hospitals/PAR Physicians'],
  ['in-network file', undefined],
  ['In-Network Negotiated Rates Files', undefined],
  ['in_network_rates', undefined],
  ['', undefined],
])('%j names the network %j', (description, network) => expect(networkNameOf(description)).toBe(network))
