"""Reads speech from standard input (16-bit samples at 16 kHz, one channel) and prints the words that it hears, in lower case."""

import sys

from pocketsphinx import Decoder

decoder = Decoder(samprate=16000, loglevel="FATAL")
decoder.start_utt()
decoder.process_raw(sys.stdin.buffer.read(), full_utt=True)
decoder.end_utt()
hypothesis = decoder.hyp()
print(hypothesis.hypstr if hypothesis is not None else "")
