<?php
/**
 * Finds bot tokens in user agents, by the rule of the service.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Case is ignored. Neither neighbour of a token may be a letter, a digit, "_" or "-". The longest token wins, of equals the first in the text. A token
 * directly before a dot and a letter belongs to a host or file name and does not count, unless it has a dot itself.
 *
 * Without any call to WordPress.
 */
final class Ghostlight_Tokens {

	const WORD = 'abcdefghijklmnopqrstuvwxyz0123456789_-';

	/**
	 * The name of the bot that a user agent states.
	 *
	 * @param array<string, string> $bots       Token in lower case => name.
	 * @param string                $user_agent As received, cut.
	 * @return string|null Null: none of them.
	 */
	public static function find( array $bots, $user_agent ) {
		if ( '' === $user_agent ) {
			return null;
		}
		$text        = Ghostlight_Text::lower( $user_agent );
		$best        = null;
		$best_length = 0;
		$best_at     = 0;
		foreach ( $bots as $token => $name ) {
			// A token of digits alone becomes an integer key.
			$token  = (string) $token;
			$length = strlen( $token );
			if ( $length < $best_length ) {
				continue;
			}
			$at = self::place( $text, $token, $length );
			if ( null !== $at && ( $length > $best_length || $at < $best_at ) ) {
				$best        = $name;
				$best_length = $length;
				$best_at     = $at;
			}
		}
		return $best;
	}

	/**
	 * Where a token first stands alone in the text.
	 *
	 * @param string $text   Lower case.
	 * @param string $token  Lower case.
	 * @param int    $length Of the token.
	 * @return int|null Null: nowhere.
	 */
	private static function place( $text, $token, $length ) {
		$at = strpos( $text, $token );
		while ( false !== $at ) {
			if ( ( 0 === $at || ! self::is_word( $text[ $at - 1 ] ) ) && self::ends( $text, $at + $length, $token ) ) {
				return $at;
			}
			$at = strpos( $text, $token, $at + 1 );
		}
		return null;
	}

	/**
	 * Whether a token may end before this place.
	 *
	 * @param string $text  Lower case.
	 * @param int    $end   Offset behind the token.
	 * @param string $token The token.
	 * @return bool
	 */
	private static function ends( $text, $end, $token ) {
		if ( ! isset( $text[ $end ] ) ) {
			return true;
		}
		if ( '.' !== $text[ $end ] ) {
			return ! self::is_word( $text[ $end ] );
		}
		$next = isset( $text[ $end + 1 ] ) ? $text[ $end + 1 ] : '';
		return $next < 'a' || $next > 'z' || false !== strpos( $token, '.' );
	}

	/**
	 * Whether a character continues a word.
	 *
	 * @param string $character One byte.
	 * @return bool
	 */
	private static function is_word( $character ) {
		return false !== strpos( self::WORD, $character );
	}
}
