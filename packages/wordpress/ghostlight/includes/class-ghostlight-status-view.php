<?php
/**
 * The upper part of the settings page: whether it works, and what hides visits.
 *
 * @package Ghostlight
 */

defined( 'ABSPATH' ) || exit;

/**
 * In words for a person who knows wp-admin and nothing else.
 */
final class Ghostlight_Status_View {

	/**
	 * All of it.
	 *
	 * @return void
	 */
	public static function render() {
		$is_complete = Ghostlight_Settings::get()->is_complete() && '' !== Ghostlight_Settings::key();
		if ( ! $is_complete ) {
			self::notice( 'info', __( 'Nothing is reported yet. Paste the three values below and save.', 'ghostlight' ) );
			self::render_caches( false );
			return;
		}
		self::render_state();
		self::render_caches( true );
		self::render_figures();
		echo '<p>';
		self::button( 'ghostlight_test', __( 'Send a test visit', 'ghostlight' ), 'secondary' );
		echo ' ';
		self::button( 'ghostlight_check', __( 'Check for page caches', 'ghostlight' ), 'secondary' );
		echo '</p>';
	}

	/**
	 * What is wrong and what to do, in one or two sentences.
	 *
	 * @param array<string, mixed> $problem "code", "status", "detail".
	 * @return string
	 */
	public static function sentence( array $problem ) {
		$status = (int) $problem['status'];
		switch ( $problem['code'] ) {
			case 'unreachable':
				$sentence = __( 'Ghostlight could not be reached. Check the address of the service, and that your host lets this site connect to it.', 'ghostlight' );
				break;
			case 'busy':
				/* translators: %d: HTTP status */
				$sentence = sprintf( __( 'Ghostlight is busy or out of order (%d). The plugin tries again by itself.', 'ghostlight' ), $status );
				break;
			case 'key':
				$sentence = __( 'Ghostlight refuses the key. Issue a new ingest key in Ghostlight and paste it below.', 'ghostlight' );
				break;
			case 'no_service':
				$sentence = __( 'There is no Ghostlight service at this address. Copy the address from Ghostlight under Setup → WordPress.', 'ghostlight' );
				break;
			case 'redirect':
				$sentence = __( 'The address leads on to another one. Enter the address that it leads to, perhaps with https://.', 'ghostlight' );
				break;
			case 'rejected':
				$sentence = __( 'Ghostlight did not accept a part of the visits. Check that the attribution ID and the key belong together.', 'ghostlight' );
				break;
			default:
				/* translators: %d: HTTP status */
				$sentence = sprintf( __( 'Ghostlight refuses the visits (%d).', 'ghostlight' ), $status );
		}
		if ( '' !== $problem['detail'] ) {
			/* translators: 1: our sentence, 2: a message of the service or of the network */
			return sprintf( __( '%1$s (Message: %2$s)', 'ghostlight' ), $sentence, $problem['detail'] );
		}
		return $sentence;
	}

	/**
	 * One box: working, not yet, or not.
	 *
	 * @return void
	 */
	private static function render_state() {
		$status  = Ghostlight_Sender::status();
		$problem = is_array( $status['problem'] ) ? $status['problem'] : null;
		$paused  = Ghostlight_Sender::paused_until();
		if ( null !== $problem && ( $status['failures'] > 0 || $problem['at'] >= $status['sent_at'] ) ) {
			$then = $paused > 0
				/* translators: %s: a time span such as "5 minutes" */
				? ' ' . sprintf( __( 'Visits are kept meanwhile. Next attempt in %s.', 'ghostlight' ), human_time_diff( time(), $paused ) )
				: '';
			self::notice( 'error', self::sentence( $problem ) . $then );
		} elseif ( $status['sent_at'] > 0 ) {
			self::notice( 'success', __( 'Visits are reported.', 'ghostlight' ) );
		} else {
			self::notice( 'info', __( 'Ready. The next visit of an AI crawler is reported by itself. To see now that it works, send a test visit.', 'ghostlight' ) );
		}
	}

	/**
	 * Whether a page cache hides visits, and what to do instead.
	 *
	 * @param bool $may_check Whether the site answers the check yet.
	 * @return void
	 */
	private static function render_caches( $may_check ) {
		$installed = Ghostlight_Caches::installed();
		$result    = get_transient( Ghostlight_Caches::RESULT );
		$result    = is_array( $result ) ? $result : null;
		$is_hidden = null !== $result && $result['asked'] > 0 && $result['seen'] < $result['asked'];
		$answered  = null === $result ? array() : $result['caches'];
		if ( array() !== $installed ) {
			// That a cache answered is clear then; one that can't be named says nothing more.
			$answered = array_diff( $answered, Ghostlight_Caches::UNNAMED );
		}
		$names     = array_values( array_unique( array_merge( $installed, $answered ) ) );
		$named     = esc_html( implode( ', ', $names ) );
		$instead   = sprintf(
			/* translators: %s: name of a command */
			esc_html__( 'To count those too, report from where all requests pass: on your own server with %s, which reads its log; behind Cloudflare with the Ghostlight collector. In Ghostlight, open Setup. Then deactivate this plugin.', 'ghostlight' ),
			'<code>ghostlight-tail</code>'
		);
		/* translators: %s: a time span such as "5 minutes" */
		$when      = null === $result ? '' : ' ' . sprintf( __( 'Checked %s ago.', 'ghostlight' ), human_time_diff( $result['at'] ) );
		if ( $is_hidden ) {
			$lead = '' === $named
				? esc_html__( 'A page cache hides visits: a test request was answered without WordPress.', 'ghostlight' )
				/* translators: %s: names of caches */
				: sprintf( esc_html__( 'A page cache hides visits (%s): a test request was answered without WordPress.', 'ghostlight' ), $named );
			self::notice_html( 'warning', '<strong>' . $lead . '</strong> ' . esc_html__( 'This plugin sees only the visits that the cache lets through.', 'ghostlight' ) . ' ' . $instead . esc_html( $when ) );
		} elseif ( array() !== $installed ) {
			/* translators: %s: names of caches */
			$lead = sprintf( esc_html__( 'A page cache is installed: %s.', 'ghostlight' ), esc_html( implode( ', ', $installed ) ) );
			self::notice_html( 'warning', '<strong>' . $lead . '</strong> ' . esc_html__( 'Pages that it serves are not seen by this plugin, so there are more AI visits than it reports.', 'ghostlight' ) . ' ' . $instead );
		} elseif ( null !== $result && '' !== $result['error'] && 0 === $result['asked'] ) {
			/* translators: %s: a message of the network */
			self::notice( 'info', sprintf( __( 'This site could not request its own front page, so a page cache in front of it would not be noticed. (Message: %s)', 'ghostlight' ), $result['error'] ) );
		} elseif ( null !== $result && $result['asked'] > 0 ) {
			self::notice( 'success', __( 'No page cache hides visits: the test requests reached WordPress.', 'ghostlight' ) . $when );
		} else {
			$front = Ghostlight_Caches::in_front( $_SERVER );
			if ( array() !== $front ) {
				/* translators: %s: names of CDNs */
				self::notice( 'info', sprintf( __( '%s is in front of this site. If it caches pages, visits are hidden from this plugin.', 'ghostlight' ), implode( ', ', $front ) ) . ( $may_check ? ' ' . __( 'Check for page caches to find out.', 'ghostlight' ) : '' ) );
			}
		}
	}

	/**
	 * What was sent, what waits, what was lost, and by which list.
	 *
	 * @return void
	 */
	private static function render_figures() {
		$status  = Ghostlight_Sender::status();
		$lists   = Ghostlight_Lists::current();
		$stored  = get_option( Ghostlight_Lists::OPTION );
		$never   = __( 'never', 'ghostlight' );
		$dropped = Ghostlight_Buffer::dropped();
		$rows    = array(
			/* translators: 1: a time span such as "5 minutes", 2: number of visits */
			__( 'Last report', 'ghostlight' )  => $status['sent_at'] > 0 ? sprintf( _n( '%1$s ago, %2$s visit', '%1$s ago, %2$s visits', $status['sent'], 'ghostlight' ), human_time_diff( $status['sent_at'] ), number_format_i18n( $status['sent'] ) ) : $never,
			__( 'Last error', 'ghostlight' )   => is_array( $status['problem'] ) ? sprintf(
				/* translators: 1: a time span such as "5 minutes", 2: a sentence */
				__( '%1$s ago: %2$s', 'ghostlight' ),
				human_time_diff( $status['problem']['at'] ),
				self::sentence( $status['problem'] )
			) : $never,
			__( 'Waiting', 'ghostlight' )      => number_format_i18n( Ghostlight_Buffer::size() ),
			__( 'Dropped', 'ghostlight' )      => 0 === $dropped ? '0' : sprintf(
				/* translators: 1: number of visits, 2: a number */
				__( '%1$s, because the service could not take them in time (at most %2$s wait)', 'ghostlight' ),
				number_format_i18n( $dropped ),
				number_format_i18n( Ghostlight_Buffer::MAX_ROWS )
			),
			__( 'List of bots', 'ghostlight' ) => sprintf(
				/* translators: 1: number of bots, 2: where the list is from */
				__( '%1$s names, %2$s', 'ghostlight' ),
				number_format_i18n( count( $lists['bots'] ) ),
				is_array( $stored ) && isset( $stored['at'] )
					/* translators: %s: a time span such as "5 minutes" */
					? sprintf( __( 'fetched from your service %s ago', 'ghostlight' ), human_time_diff( $stored['at'] ) )
					: __( 'as packed with the plugin; it is fetched from your service within six hours', 'ghostlight' )
			),
		);
		echo '<table class="widefat striped" style="max-width:60em"><tbody>';
		foreach ( $rows as $label => $value ) {
			printf( '<tr><th scope="row" style="width:10em">%s</th><td>%s</td></tr>', esc_html( $label ), esc_html( $value ) );
		}
		echo '</tbody></table>';
	}

	/**
	 * A button that posts.
	 *
	 * @param string $action Of admin-post.php, and of the nonce.
	 * @param string $label  For people.
	 * @param string $kind   Of the button.
	 * @return void
	 */
	private static function button( $action, $label, $kind ) {
		printf( '<form action="%s" method="post" style="display:inline"><input type="hidden" name="action" value="%s">', esc_url( admin_url( 'admin-post.php' ) ), esc_attr( $action ) );
		wp_nonce_field( $action );
		printf( '<button type="submit" class="button button-%s">%s</button></form>', esc_attr( $kind ), esc_html( $label ) );
	}

	/**
	 * A box.
	 *
	 * @param string $type     "info", "success", "warning" or "error".
	 * @param string $sentence Text.
	 * @return void
	 */
	private static function notice( $type, $sentence ) {
		self::notice_html( $type, esc_html( $sentence ) );
	}

	/**
	 * A box.
	 *
	 * @param string $type "info", "success", "warning" or "error".
	 * @param string $html Escaped.
	 * @return void
	 */
	private static function notice_html( $type, $html ) {
		printf( '<div class="notice notice-%s inline"><p>%s</p></div>', esc_attr( $type ), wp_kses_post( $html ) );
	}
}
