#!/usr/bin/env node
/** The command `loop`: the terminal, files and signals of this process. */
import { readFile as readBytes } from 'node:fs/promises'
import { basename } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { UsageError } from './arguments.ts'
import { runCommand } from './commands.ts'

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())
// A program such as head ends before everything is printed.
process.stdout.on('error', () => process.exit(0))

async function ask(prompt: string): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
  lines.once('SIGINT', () => interrupted.abort())
  try {
    return await Promise.race([lines.question(prompt, { signal: interrupted.signal }), closed])
  } finally {
    lines.close()
  }
}

async function readFile(path: string) {
  try {
    return { name: basename(path), data: await readBytes(path) }
  } catch {
    throw new UsageError(`${path} cannot be read.`)
  }
}

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : null,
  readFile,
  env: process.env,
  signal: interrupted.signal,
})
