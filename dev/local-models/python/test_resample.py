"""`<cache folder>/local-models-…/bin/python -m unittest test_resample`, in this folder. It needs numpy, which the project's tests don't have."""

import unittest

import numpy as np

from resample import resampled


def tone(hertz: int, rate: int) -> np.ndarray:
    return 10_000 * np.sin(2 * np.pi * hertz * np.arange(rate) / rate)


class Resampling(unittest.TestCase):
    def test_keeps_pitch_and_level_of_a_tone(self) -> None:
        for hertz in (200, 1_000, 4_000, 8_000):
            with self.subTest(hertz):
                out = resampled(tone(hertz, 22_050).astype(np.int16), 22_050, 24_000).astype(float)
                self.assertEqual(out.size, 24_000)
                wanted = tone(hertz, 24_000)
                error = (out - wanted)[200:-200]
                self.assertLess(20 * np.log10(np.std(error) / np.std(wanted)), -70)

    def test_preserves_silence_and_a_constant(self) -> None:
        self.assertFalse(resampled(np.zeros(1_000, np.int16), 22_050, 24_000).any())
        level = resampled(np.full(4_000, 1_000, np.int16), 22_050, 24_000)[200:-200]
        self.assertTrue((level == 1_000).all())

    def test_clips_the_loudest_signal_instead_of_wrapping_around(self) -> None:
        square = np.where(np.arange(4_000) // 20 % 2 == 0, 32_767, -32_768).astype(np.int16)
        out = resampled(square, 22_050, 24_000)
        self.assertTrue((out[440:450] < 0).all() or (out[440:450] > 0).all())
        self.assertEqual((out.max(), out.min()), (32_767, -32_768))

    def test_returns_empty_input_and_equal_rates_unchanged(self) -> None:
        self.assertEqual(resampled(np.zeros(0, np.int16), 22_050, 24_000).size, 0)
        samples = tone(300, 24_000).astype(np.int16)
        self.assertIs(resampled(samples, 24_000, 24_000), samples)


if __name__ == "__main__":
    unittest.main()
