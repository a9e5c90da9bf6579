<?php
/**
 * Hosts of referrers, and parameters of queries, read as browsers and the service read them.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * PHP's parse_url() takes a backslash, a tab or capital letters otherwise than browsers do, so that a referrer could name one host here and
 * another one there. Without any call to WordPress.
 */
final class Ghostlight_Url {

	/**
	 * The host of an http(s) referrer, or the package of an Android app's.
	 *
	 * @param string $url As received.
	 * @return array{host: string, is_app: bool}|null Null for every other scheme, and for what is no URL.
	 */
	public static function origin( $url ) {
		$url = str_replace( array( "\t", "\n", "\r" ), '', trim( $url, "\0..\x20" ) );
		if ( 1 === preg_match( '~^android-app://([^/?#]*)~i', $url, $found ) ) {
			$host = self::without_port( self::without_user( $found[1] ) );
			if ( null === $host || 1 !== preg_match( '/^[!"$-.0-9;=_`a-z{}~]+$/iD', $host ) ) {
				return null;
			}
			return array(
				'host'   => Ghostlight_Text::lower( $host ),
				'is_app' => true,
			);
		}
		if ( 1 !== preg_match( '~^https?:[/\\\\]*([^/\\\\?#]*)~i', $url, $found ) ) {
			return null;
		}
		$host = self::without_port( self::without_user( $found[1] ) );
		$host = null === $host ? null : self::host( $host );
		if ( null === $host ) {
			return null;
		}
		$host = self::without_dot( $host );
		if ( '' === $host || '.' === substr( $host, -1 ) ) {
			return null;
		}
		return array(
			'host'   => $host,
			'is_app' => false,
		);
	}

	/**
	 * A host or app package that stands alone, without scheme, port or path.
	 *
	 * @param string $text As received.
	 * @return string|null Lower case; null for everything else, a word without a dot among it.
	 */
	public static function bare_host( $text ) {
		$host = self::without_dot( Ghostlight_Text::lower( $text ) );
		if ( '' === $host || '.' === substr( $host, -1 ) || strlen( $host ) > Ghostlight_Text::HOST ) {
			return null;
		}
		if ( false === strpos( $host, '.' ) && '[' !== $host[0] ) {
			return null;
		}
		// What is read otherwise than it is written is no host alone.
		return self::host( $host ) === $host ? $host : null;
	}

	/**
	 * One trailing dot is dropped: a host with two is another host.
	 *
	 * @param string $host A host.
	 * @return string
	 */
	public static function without_dot( $host ) {
		return '.' === substr( $host, -1 ) ? substr( $host, 0, -1 ) : $host;
	}

	/**
	 * The first value of a parameter, decoded.
	 *
	 * PHP's $_GET has the last one, and changes names.
	 *
	 * @param string $query What follows the question mark, as received.
	 * @param string $name  The parameter.
	 * @return string|null Null: it is not there.
	 */
	public static function parameter( $query, $name ) {
		foreach ( explode( '&', $query ) as $pair ) {
			$parts = explode( '=', $pair, 2 );
			if ( urldecode( $parts[0] ) === $name ) {
				return Ghostlight_Text::cut( urldecode( isset( $parts[1] ) ? $parts[1] : '' ), Ghostlight_Text::QUERY_VALUE );
			}
		}
		return null;
	}

	/**
	 * What follows the last "@" of an authority.
	 *
	 * @param string $authority With or without a user.
	 * @return string
	 */
	private static function without_user( $authority ) {
		$at = strrpos( $authority, '@' );
		return false === $at ? $authority : substr( $authority, $at + 1 );
	}

	/**
	 * An authority without its port.
	 *
	 * @param string $authority Host, and perhaps a port.
	 * @return string|null Null: the port is none, or there is no host.
	 */
	private static function without_port( $authority ) {
		if ( 1 !== preg_match( '/^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/D', $authority, $found ) || '' === $found[1] ) {
			return null;
		}
		return isset( $found[2] ) && (int) $found[2] > 65535 ? null : $found[1];
	}

	/**
	 * A host in the form that browsers give it.
	 *
	 * Names with letters beyond ASCII are not read: no list has one, and PHP converts them only with an extension.
	 *
	 * @param string $text As written.
	 * @return string|null Null: no host.
	 */
	private static function host( $text ) {
		if ( '[' === $text[0] ) {
			$packed = '' === trim( $text, '[]' ) ? null : Ghostlight_Address::pack( substr( $text, 1, -1 ) );
			return null !== $packed && 16 === strlen( $packed ) ? '[' . inet_ntop( $packed ) . ']' : null;
		}
		$host = Ghostlight_Text::lower( rawurldecode( $text ) );
		if ( 1 !== preg_match( '/^[!"$&-.0-9;=_a-z`{}~]+$/D', $host ) ) {
			return null;
		}
		$labels = explode( '.', self::without_dot( $host ) );
		if ( 1 === preg_match( '/^(?:\d+|0x[0-9a-f]*)$/D', (string) end( $labels ) ) ) {
			// A number at the end makes it an IPv4 address. Other spellings of one are not read.
			$address = self::without_dot( $host );
			return Ghostlight_Address::is_v4( $address ) ? $address : null;
		}
		return $host;
	}
}
