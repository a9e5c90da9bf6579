<?php
/**
 * Tells from a referrer or an utm_source which AI product a person came from.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * Hosts are compared by label, never as parts of a text. Without any call to WordPress.
 */
final class Ghostlight_Referrers {

	/**
	 * The AI product behind a visit. The referrer counts before the tag.
	 *
	 * @param array<string, mixed> $lists      "domains" and "apps": host or package => name.
	 * @param string               $referrer   As received.
	 * @param string|null          $utm_source Of the address; null: none.
	 * @return array{engine: string, signal: string}|null
	 */
	public static function find( array $lists, $referrer, $utm_source ) {
		$origin = '' === $referrer ? null : Ghostlight_Url::origin( $referrer );
		if ( null !== $origin ) {
			if ( $origin['is_app'] ) {
				$engine = isset( $lists['apps'][ $origin['host'] ] ) ? $lists['apps'][ $origin['host'] ] : null;
			} else {
				$engine = self::listed( $lists['domains'], $origin['host'] );
			}
			if ( null !== $engine ) {
				return array(
					'engine' => $engine,
					'signal' => $origin['is_app'] ? 'app' : 'referrer',
				);
			}
		}
		if ( null === $utm_source || '' === $utm_source ) {
			return null;
		}
		$tag    = Ghostlight_Url::without_dot( Ghostlight_Text::lower( trim( $utm_source ) ) );
		$engine = self::listed( $lists['domains'], $tag );
		return null === $engine ? null : array(
			'engine' => $engine,
			'signal' => 'utm_source',
		);
	}

	/**
	 * Whether a visit comes from the site that it goes to. A tag stays in the links of many sites after the first page.
	 *
	 * @param string   $referrer As received.
	 * @param string   $host     The visited host, with a port or without.
	 * @param string[] $own      Further domains of the site, lower case.
	 * @return bool
	 */
	public static function is_own_site( $referrer, $host, array $own ) {
		if ( '' === $referrer ) {
			return false;
		}
		$origin = Ghostlight_Url::origin( $referrer );
		if ( null === $origin ) {
			$from = Ghostlight_Url::bare_host( $referrer );
		} else {
			$from = $origin['is_app'] ? null : $origin['host'];
		}
		if ( null === $from ) {
			return false;
		}
		foreach ( array_merge( array( self::without_www( $host ) ), $own ) as $domain ) {
			if ( '' !== $domain && ( $from === $domain || substr( $from, -strlen( $domain ) - 1 ) === '.' . $domain ) ) {
				return true;
			}
		}
		return false;
	}

	/**
	 * "www.shop.example" and "shop.example" are one site wherever both answer.
	 *
	 * @param string $host With a port or without.
	 * @return string Lower case, without a port.
	 */
	public static function without_www( $host ) {
		$bare = Ghostlight_Url::without_dot( Ghostlight_Text::lower( (string) preg_replace( '/:\d+$/D', '', $host ) ) );
		$rest = 0 === strpos( $bare, 'www.' ) ? substr( $bare, 4 ) : $bare;
		// "www.example" alone is a name like any other.
		return false === strpos( $rest, '.' ) ? $bare : $rest;
	}

	/**
	 * The name of the longest listed domain that a host is or lies below.
	 *
	 * @param array<string, string> $domains Domain => name.
	 * @param string                $host    Lower case.
	 * @return string|null
	 */
	private static function listed( array $domains, $host ) {
		if ( strlen( $host ) > Ghostlight_Text::HOST ) {
			return null;
		}
		while ( true ) {
			if ( isset( $domains[ $host ] ) ) {
				return $domains[ $host ];
			}
			$dot = strpos( $host, '.' );
			if ( false === $dot ) {
				return null;
			}
			$host = substr( $host, $dot + 1 );
		}
	}
}
